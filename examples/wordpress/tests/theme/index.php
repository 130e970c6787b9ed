<?php
/* The smallest page that shows what WordPress found. */
?>
<html <?php language_attributes(); ?>>
<head><?php wp_head(); ?></head>
<body <?php body_class(); ?>>
<h1><?php echo is_404() ? 'Nothing is here' : esc_html(get_the_archive_title()); ?></h1>
<?php
while (have_posts()) {
    the_post();
    echo '<h2>', get_the_title(), ' ', get_permalink(), '</h2>', get_the_content();
}
get_search_form();
wp_footer();
?>
</body>
</html>
