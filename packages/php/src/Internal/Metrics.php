<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\NotFoundException;

/**
 * The statistics of all filters in the OpenMetrics text format.
 *
 * @internal
 *
 * @phpstan-type Subject array{type: 'filter'|'segment', labels: array<string, string>, values: array<string, mixed>}
 */
final class Metrics
{
    public static function text(): string
    {
        $subjects = [...self::filters(), self::segment()];
        $now = microtime(true);
        $text = '';
        foreach (MetricsTable::ROWS as [$type, $kind, $name, $unit, $form, $path, $help]) {
            $full = $name . ($unit === '' ? '' : "_$unit");
            $text .= "# TYPE $full $kind\n" . ($unit === '' ? '' : "# UNIT $full $unit\n") . "# HELP $full $help\n";
            foreach ($subjects as $subject) {
                if ($subject['type'] === $type) {
                    foreach (self::samples($subject['values'], $form, $path, $now) as [$labels, $number]) {
                        $text .= $full . ($kind === 'counter' ? '_total{' : '{') . self::labels($subject['labels'] + $labels) . "} $number\n";
                    }
                }
            }
        }
        return "$text# EOF\n";
    }

    /** @return list<Subject> */
    private static function filters(): array
    {
        $subjects = [];
        foreach (Filter::list() as $name) {
            try {
                $filter = Filter::find($name);
                if ($filter === null) {
                    continue;
                }
                $values = ['up' => true] + $filter->info()->jsonSerialize();
            } catch (NotFoundException) {
                continue;
            } catch (BloomException) {
                $values = ['up' => false];
            }
            $subjects[] = ['type' => 'filter', 'labels' => ['name' => $name, 'segment' => Segment::path()], 'values' => $values];
        }
        return $subjects;
    }

    /** @return Subject */
    private static function segment(): array
    {
        $free = @disk_free_space(Segment::path());
        return ['type' => 'segment', 'labels' => ['segment' => Segment::path()], 'values' => [
            'usedBytes' => Segment::bytes(),
            'memoryLimit' => Segment::limit() ?: null,
            'freeBytes' => $free === false ? null : (int) $free,
            'version' => 'pure PHP',
            'php' => PHP_VERSION,
        ]];
    }

    /**
     * @param array<string, mixed> $values
     *
     * @return list<array{array<string, string>, string}> labels and a number
     */
    private static function samples(array $values, string $form, string $path, float $now): array
    {
        if ($form === 'labels') {
            return count($values) > 1 ? [[self::properties($values, $path), '1']] : [];
        }
        $value = $values;
        foreach (explode('.', $path) as $name) {
            $value = is_object($value) ? get_object_vars($value)[$name] ?? null : (is_array($value) ? $value[$name] ?? null : null);
        }
        if (is_array($value)) {
            $samples = [];
            foreach ($value as $status => $number) {
                $samples[] = [['status' => (string) $status], self::number($number)];
            }
            return $samples;
        }
        if ($value === null || (is_float($value) && !is_finite($value))) {
            return [];
        }
        return [[[], self::number($form === 'ago' && is_float($value) ? round($now - $value, 3) : $value)]];
    }

    /**
     * @param array<string, mixed> $values
     *
     * @return array<string, string>
     */
    private static function properties(array $values, string $names): array
    {
        $labels = [];
        foreach (explode(' ', $names) as $name) {
            $value = $values[$name] ?? null;
            $text = $value instanceof \BackedEnum ? (string) $value->value : $value;
            if (is_string($text)) {
                $labels[strtolower((string) preg_replace('/[A-Z]/', '_$0', $name))] = $text;
            }
        }
        return $labels;
    }

    private static function number(mixed $value): string
    {
        return is_bool($value) ? (string) (int) $value : strtoupper(json_encode($value, JSON_THROW_ON_ERROR));
    }

    /** @param array<string, string> $labels */
    private static function labels(array $labels): string
    {
        $texts = [];
        foreach ($labels as $name => $value) {
            $text = json_decode(json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), false, 1, JSON_THROW_ON_ERROR);
            assert(is_string($text));
            $text = (string) preg_replace('/[^\P{Cc}\n\t]|[\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]/u', "\u{FFFD}", $text);
            $texts[] = $name . '="' . strtr($text, ['\\' => '\\\\', '"' => '\\"', "\n" => '\\n']) . '"';
        }
        return implode(',', $texts);
    }
}
