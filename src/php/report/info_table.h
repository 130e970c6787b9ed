/* The table of filters in phpinfo() and in `php --ri bloom`. */
#ifndef PHP_BLOOM_INFO_TABLE_H
#define PHP_BLOOM_INFO_TABLE_H

/* Prints a row for each filter of the segment, at most 100, in the order of their names. Creates no
 * segment, fixes no settings, keeps no mapping and never throws. A row says so if the segment or a
 * filter cannot be read. */
void php_bloom_info_table(void);

#endif
