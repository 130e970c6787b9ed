<?php

use MediaWiki\Logger\LegacySpi;
use MediaWiki\Logger\Spi;
use Psr\Log\AbstractLogger;

/**
 * Counts the queries of each request of MediaWiki. The answer has the number in the header X-Queries, and in
 * X-Titles the number of titles such as "Article 1" and "Missing 1" in them. X-Missing counts only those about missing
 * titles.
 */
final class WikiQueryLog extends AbstractLogger implements Spi
{
    /** The channel of queries in MediaWiki 1.39 and in later versions. */
    private const CHANNELS = ['DBQuery', 'rdbms'];

    private static array $queries = [];
    private LegacySpi $others;

    public function __construct()
    {
        $this->others = new LegacySpi();
    }

    public function getLogger($channel)
    {
        return in_array($channel, self::CHANNELS, true) ? $this : $this->others->getLogger($channel);
    }

    public function log($level, $message, array $context = []): void
    {
        if (isset($context['sql'])) {
            self::$queries[] = $context['sql'];
        }
    }

    public static function send(): void
    {
        header('X-Queries: ' . count(self::$queries));
        header('X-Titles: ' . preg_match_all('/\b(Article|Missing)_\d/', implode(' ', preg_grep('/^SELECT\b/', self::$queries))));
        $missing = preg_grep('/Missing_/', self::$queries);
        header('X-Missing: ' . count($missing) . ' queries, ' . substr_count(implode(' ', $missing), 'Missing_') . ' titles');
    }
}
