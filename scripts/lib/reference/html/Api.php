<?php

namespace Bloom\Reference;

/** The page of all classes and methods, from the stub, which declares them with empty bodies. */
final class Api
{
    private const NAMESPACE = 'Bloom\\';
    private const INTRODUCTION = [
        'Classes' => 'Filters, and what builds, publishes and follows them.',
        'Stores' => 'Where hosts fetch filters from.',
        'Enumerations' => '',
        'Values' => 'What the info methods return. All properties are readonly.',
        'Exceptions' => '',
    ];

    /** @var array<string, \ReflectionClass> by the name without the namespace */
    private array $classes = [];
    /** The class whose section is being written. */
    private ?\ReflectionClass $current = null;

    public function __construct(private readonly Site $site, private readonly Markdown $markdown)
    {
        require_once "$site->root/" . Site::API;
        foreach ([...get_declared_classes(), ...get_declared_interfaces()] as $name) {
            $class = new \ReflectionClass($name);
            if ($class->getNamespaceName() . '\\' === self::NAMESPACE && $class->getFileName() === realpath("$site->root/" . Site::API)) {
                $this->classes[$class->getShortName()] = $class;
            }
        }
        uasort($this->classes, fn ($one, $other): int => $one->getStartLine() <=> $other->getStartLine());
    }

    public function html(): string
    {
        preg_match('~/\*\*.*?\*/~s', file_get_contents("{$this->site->root}/" . Site::API), $comment);
        // The first paragraph of the file is for who maintains it.
        $text = preg_replace('/^.*?\n\n/s', '', (new Comment($comment[0]))->text);
        $html = "<h1>Classes and methods</h1>\n<p>Everything is in the namespace <code>Bloom</code>.</p>\n" . $this->text($text);
        $sections = '';
        foreach ($this->groups() as $group => $classes) {
            $html .= "<h2>$group</h2>\n" . $this->text(self::INTRODUCTION[$group]) . "\n<div class=\"table\"><table>\n";
            foreach ($classes as $name => $class) {
                $summary = $this->text((new Comment($class->getDocComment()))->summary());
                $html .= "<tr><td><a href=\"#$name\"><code>$name</code></a></td><td>$summary</td></tr>\n";
                $sections .= $this->section($name, $class);
            }
            $html .= "</table></div>\n";
        }
        return $html . $sections;
    }

    /** Returns the part of the navigation that lists the classes. */
    public function contents(): string
    {
        $html = '';
        foreach ($this->groups() as $group => $classes) {
            $html .= "<h2>$group</h2>\n<ul>\n";
            foreach (array_keys($classes) as $name) {
                $html .= "<li><a href=\"#$name\">$name</a></li>\n";
            }
            $html .= "</ul>\n";
        }
        return $html;
    }

    /** @return array<string, array<string, \ReflectionClass>> */
    private function groups(): array
    {
        $groups = array_fill_keys(array_keys(self::INTRODUCTION), []);
        foreach ($this->classes as $name => $class) {
            $group = match (true) {
                $class->isSubclassOf(\Throwable::class) => 'Exceptions',
                $class->isEnum() => 'Enumerations',
                $class->isSubclassOf(self::NAMESPACE . 'Info') || $name === 'Info' => 'Values',
                $name === 'Store' || $class->isSubclassOf(self::NAMESPACE . 'Store') => 'Stores',
                default => 'Classes',
            };
            $groups[$group][$name] = $class;
        }
        return $groups;
    }

    private function section(string $name, \ReflectionClass $class): string
    {
        $this->current = $class;
        $comment = new Comment($class->getDocComment());
        $html = "<section id=\"$name\">\n<h2><a href=\"#$name\">$name</a></h2>\n<pre><code>" . $this->declaration($class)
            . "</code></pre>\n" . $this->text($comment->text);
        $methods = $inherited = [];
        foreach ($class->getMethods(\ReflectionMethod::IS_PUBLIC) as $method) {
            $owner = $method->getDeclaringClass();
            if ($owner->name === $class->name) {
                $methods[] = $method;
            } elseif (isset($this->classes[$owner->getShortName()])) {
                $inherited[$owner->getShortName()][] = $method->name;
            }
        }
        $methods = $class->isEnum() ? [] : $methods;
        if (count($methods) > 3) {
            $links = array_map(fn ($method): string => $this->link("$name::$method->name", self::shown($method)), $methods);
            $html .= '<p class="list">' . implode(' ', $links) . "</p>\n";
        }
        foreach ($inherited as $owner => $names) {
            $links = array_map(fn (string $method): string => $this->link("$owner::$method", "$method()"), $names);
            $html .= "<p class=\"list\">From " . $this->link($owner, $owner) . ': ' . implode(' ', $links) . "</p>\n";
        }
        $html .= $class->isEnum() ? $this->cases($class->getName()) : $this->properties($class);
        foreach ($methods as $method) {
            $html .= $this->method($method);
        }
        $this->current = null;
        return "$html</section>\n";
    }

    private function declaration(\ReflectionClass $class): string
    {
        if ($class->isEnum()) {
            return "enum {$class->getShortName()}: " . (new \ReflectionEnum($class->name))->getBackingType();
        }
        $kind = $class->isInterface() ? 'interface' : trim(
            ($class->isFinal() ? 'final ' : '') . ($class->isAbstract() ? 'abstract ' : '') . 'class'
        );
        $parent = $class->getParentClass();
        $interfaces = array_diff(
            $class->getInterfaceNames(),
            $parent !== false ? $parent->getInterfaceNames() : [],
            ...array_map(fn ($interface) => array_values($interface->getInterfaceNames()), array_values($class->getInterfaces()))
        );
        $types = implode(', ', array_map($this->type(...), $interfaces));
        return "$kind {$class->getShortName()}" . ($parent !== false ? ' extends ' . $this->type($parent->name) : '')
            . ($types === '' ? '' : ($class->isInterface() ? ' extends ' : ' implements ') . $types);
    }

    private function cases(string $name): string
    {
        $html = "<div class=\"table\"><table>\n<tr><th>case</th><th>value</th><th></th></tr>\n";
        $short = substr($name, strlen(self::NAMESPACE));
        foreach ((new \ReflectionEnum($name))->getCases() as $case) {
            $value = Site::escaped((string)$case->getBackingValue());
            $html .= "<tr id=\"$short::$case->name\"><td><code>$case->name</code></td><td><code>$value</code></td><td>"
                . $this->text((new Comment($case->getDocComment()))->text) . "</td></tr>\n";
        }
        return "$html</table></div>\n";
    }

    private function properties(\ReflectionClass $class): string
    {
        $html = '';
        $inherited = [];
        foreach ($class->getProperties(\ReflectionProperty::IS_PUBLIC) as $property) {
            if ($property->class !== $class->name) {
                $inherited[$property->class] = true;
                continue;
            }
            $comment = new Comment($property->getDocComment());
            $var = $comment->tagged('var')[0] ?? ['type' => (string)$property->getType(), 'text' => ''];
            $html .= "<tr id=\"{$class->getShortName()}::\$$property->name\"><td><code>\$$property->name</code></td><td><code>"
                . $this->type($var['type']) . '</code></td><td>' . $this->text($comment->text . $var['text']) . "</td></tr>\n";
        }
        $from = implode(', ', array_map($this->type(...), array_intersect(array_keys($inherited), array_map(fn ($c) => $c->name, $this->classes))));
        return ($html === '' ? '' : "<div class=\"table\"><table class=\"members\">\n<tr><th>property</th><th>type</th><th></th></tr>\n$html</table></div>\n")
            . ($from === '' ? '' : "<p class=\"list\">It also has the properties of $from.</p>\n");
    }

    private function method(\ReflectionMethod $method): string
    {
        $name = "{$method->getDeclaringClass()->getShortName()}::$method->name";
        $comment = new Comment($method->getDocComment());
        $html = "<h3 id=\"$name\"><a href=\"#$name\">" . self::shown($method) . "</a></h3>\n<pre><code>" . $this->signature($method, $comment)
            . "</code></pre>\n" . $this->text($comment->text);
        $rows = '';
        foreach ($comment->tagged('param') as $tag) {
            if ($tag['text'] !== '') {
                $rows .= "<tr><td><code>$tag[variable]</code></td><td>" . $this->text($tag['text']) . "</td></tr>\n";
            }
        }
        foreach ($comment->tagged('return') as $tag) {
            if ($tag['text'] !== '') {
                $rows .= '<tr><td>returns</td><td>' . $this->text($tag['text']) . "</td></tr>\n";
            }
        }
        foreach ($comment->tagged('throws') as $tag) {
            $type = implode(' or ', array_map($this->type(...), explode('|', $tag['type'])));
            $rows .= "<tr><td>throws <code>$type</code></td><td>" . $this->text($tag['text']) . "</td></tr>\n";
        }
        return $html . ($rows === '' ? '' : "<table class=\"tags\">\n$rows</table>\n");
    }

    private static function shown(\ReflectionMethod $method): string
    {
        return $method->isConstructor() ? "new {$method->getDeclaringClass()->getShortName()}()" : "$method->name()";
    }

    private function signature(\ReflectionMethod $method, Comment $comment): string
    {
        $types = [];
        foreach ($comment->tagged('param') as $tag) {
            $types[$tag['variable']] = $tag['type'];
        }
        $parameters = [];
        foreach ($method->getParameters() as $parameter) {
            $type = $types["\$$parameter->name"] ?? (string)$parameter->getType();
            $parameters[] = $this->type($type) . " \$$parameter->name"
                . ($parameter->isDefaultValueAvailable() ? ' = ' . self::value($parameter->getDefaultValue()) : '');
        }
        $return = ($comment->tagged('return')[0]['type'] ?? '') ?: (string)$method->getReturnType();
        $before = ($method->isFinal() ? 'final ' : '') . ($method->isStatic() ? 'static ' : '') . "function $method->name(";
        $after = ')' . ($return === '' ? '' : ': ' . $this->type($return));
        $line = $before . implode(', ', $parameters) . $after;
        return strlen(html_entity_decode(strip_tags($line))) <= 80
            ? $line
            : $before . "\n    " . implode(",\n    ", $parameters) . "\n$after";
    }

    private static function value(mixed $value): string
    {
        return match (true) {
            $value === null => 'null',
            $value === [] => '[]',
            $value instanceof \UnitEnum => basename(strtr($value::class, '\\', '/')) . "::$value->name",
            default => Site::escaped(strtolower(var_export($value, true))),
        };
    }

    /** Returns a type without the namespace. The names of classes lead to their sections. */
    private function type(string $type): string
    {
        return preg_replace_callback('~\\\\?((?:\w+\\\\)*)(\w+)~', function (array $found): string {
            return in_array($found[1], ['', self::NAMESPACE], true) && isset($this->classes[$found[2]])
                ? $this->link($found[2], $found[2])
                : $found[1] . $found[2];
        }, Site::escaped($type));
    }

    private function link(string $anchor, string $text): string
    {
        return "<a href=\"#$anchor\">$text</a>";
    }

    /** Returns a text of a comment, in which names of classes, methods and pages become links. */
    private function text(string $text): string
    {
        $html = $this->markdown->comment($text);
        $parts = preg_split('~(<a .*?</a>|<pre>.*?</pre>|<[^>]*>)~s', $html, -1, PREG_SPLIT_DELIM_CAPTURE);
        foreach ($parts as $i => $part) {
            if ($i % 2 === 0) {
                $parts[$i] = preg_replace_callback('~docs/[\w/.-]+\.md|\\\\?\b(?:(\w+)::)?(\$?\w+)(?:\((?=\))\))?~', $this->reference(...), $part);
            }
        }
        return implode('', $parts);
    }

    /** Returns a link for a name in a text, or the name if it is a word or belongs to something else. */
    private function reference(array $found): string
    {
        [$whole, $class, $member] = $found + [1 => '', 2 => ''];
        if (str_starts_with($whole, 'docs/')) {
            $address = $this->site->link(Site::API, "../$whole");
            return $address === null ? $whole : "<a href=\"$address\">$whole</a>";
        }
        if (str_starts_with($whole, '\\')) {
            return $whole;
        }
        $isMethod = str_ends_with($whole, '()');
        $owner = $class !== '' ? $this->classes[$class] ?? null : $this->current;
        $target = match (true) {
            $isMethod && $owner !== null && $owner->hasMethod($member) => $owner->getMethod($member)->getDeclaringClass(),
            $class !== '' && $owner !== null && $owner->hasConstant($member) => $owner,
            default => null,
        };
        if ($target !== null && isset($this->classes[$target->getShortName()])) {
            return $this->link("{$target->getShortName()}::$member", $whole);
        }
        // Names of one word, such as Filter, may also be words.
        $isClass = $class === '' && !$isMethod && isset($this->classes[$member]) && preg_match('/[a-z][A-Z]/', $member) === 1;
        return $isClass && $member !== $this->current?->getShortName() ? $this->link($member, $member) : $whole;
    }
}
