<?php

namespace Bloom\Reference;

use League\CommonMark\Environment\Environment;
use League\CommonMark\Event\DocumentParsedEvent;
use League\CommonMark\Extension\CommonMark\CommonMarkCoreExtension;
use League\CommonMark\Extension\CommonMark\Node\Block\Heading;
use League\CommonMark\Extension\CommonMark\Node\Block\HtmlBlock;
use League\CommonMark\Extension\CommonMark\Node\Inline\Code;
use League\CommonMark\Extension\CommonMark\Node\Inline\HtmlInline;
use League\CommonMark\Extension\CommonMark\Node\Inline\Image;
use League\CommonMark\Extension\CommonMark\Node\Inline\Link;
use League\CommonMark\Extension\Table\TableExtension;
use League\CommonMark\MarkdownConverter;
use League\CommonMark\Node\Inline\Text;
use League\CommonMark\Node\Node;

/** Writes Markdown as HTML, with headings that have the anchors of GitHub. */
final class Markdown
{
    private readonly MarkdownConverter $pages;
    private readonly MarkdownConverter $comments;
    private string $file = '';

    public function __construct(private readonly Site $site)
    {
        $environment = new Environment();
        $environment->addExtension(new CommonMarkCoreExtension());
        $environment->addExtension(new TableExtension());
        $environment->addEventListener(DocumentParsedEvent::class, $this->rewrite(...));
        $this->pages = new MarkdownConverter($environment);
        $environment = new Environment(['html_input' => 'escape']);
        $environment->addExtension(new CommonMarkCoreExtension());
        $this->comments = new MarkdownConverter($environment);
    }

    /** Returns a page of this tree, whose links lead to the other pages. */
    public function page(string $file, string $text): string
    {
        $this->file = $file;
        return self::framed((string)$this->pages->convert($text));
    }

    /** Returns the text of a comment in code. */
    public function comment(string $text): string
    {
        return trim((string)$this->comments->convert($text));
    }

    /** Wide tables scroll by themselves. */
    private static function framed(string $html): string
    {
        return strtr($html, ['<table>' => '<div class="table"><table>', '</table>' => '</table></div>']);
    }

    private function rewrite(DocumentParsedEvent $event): void
    {
        $walker = $event->getDocument()->walker();
        $nodes = [];
        while (($step = $walker->next()) !== null) {
            if ($step->isEntering()) {
                $nodes[] = $step->getNode();
            }
        }
        $seen = [];
        foreach ($nodes as $node) {
            if ($node instanceof Heading) {
                $slug = self::slug(self::text($node));
                $count = $seen[$slug] ?? 0;
                $seen[$slug] = $count + 1;
                $node->data->set('attributes/id', $count === 0 ? $slug : "$slug-$count");
            } elseif ($node instanceof Image) {
                $node->setUrl($this->site->picture($this->file, $node->getUrl()));
            } elseif ($node instanceof Link) {
                $this->rewriteLink($node);
            } elseif ($node instanceof HtmlBlock || $node instanceof HtmlInline) {
                $node->setLiteral(preg_replace_callback(
                    '/\b(src|srcset)="([^"]+)"/',
                    fn (array $found): string => "$found[1]=\"" . $this->site->picture($this->file, $found[2]) . '"',
                    preg_replace('/<!--.*?-->/s', '', $node->getLiteral())
                ));
            }
        }
    }

    /** A link to a file that is not written becomes its text. */
    private function rewriteLink(Link $link): void
    {
        $address = $this->site->link($this->file, $link->getUrl());
        if ($address !== null) {
            $link->setUrl($address);
            return;
        }
        foreach ([...$link->children()] as $child) {
            $link->insertBefore($child);
        }
        $link->detach();
    }

    private static function text(Node $node): string
    {
        if ($node instanceof Text || $node instanceof Code) {
            return $node->getLiteral();
        }
        return implode('', array_map(self::text(...), [...$node->children()]));
    }

    private static function slug(string $heading): string
    {
        return strtr(preg_replace('/[^\w\- ]/u', '', mb_strtolower($heading)), ' ', '-');
    }
}
