<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\Store;
use Bloom\Version;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** Base class of the commands that choose the version that hosts serve. */
abstract class OverrideCommand extends Command
{
    /** Changes the store. */
    abstract protected function change(Store $store, string $name, InputInterface $input): void;

    final protected function setUp(string $name, string $description): static
    {
        return $this->setName($name)
            ->setDescription($description)
            ->addName()
            ->addStore()
            ->addTimeout()
            ->addFormat();
    }

    final protected function addVersion(string $description): static
    {
        return $this->addArgument('version', InputArgument::OPTIONAL, $description);
    }

    final protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$name, $url] = Arguments::nameAndStore($input, $this);
        $url = StoreUrl::parse($url);
        $store = $url->open(Timeout::of($input));
        if (Blob::versions($store, $name) === []) {
            throw new Failure(ExitCode::TryAgain, "$name: the store $url->shown has no such filter (bloom list STORE shows those that it has)");
        }
        $this->change($store, $name, $input);
        $stored = Stored::find($store, $url->shown, $name);
        $served = $stored->served();
        $report->result($stored->json(), static fn (): array => [$served === null
            ? "$name: nothing is published"
            : "$name: hosts serve version $served->checksum, built " . Text::time($served->builtAt)
                . ', starting with their next sync (' . $stored->state() . ')']);
        return ExitCode::Ok;
    }

    /**
     * Returns the checksum of the version that is given by its label, or by the first digits of its
     * checksum; null: none is given.
     */
    final protected static function checksum(Store $store, string $name, InputInterface $input): ?string
    {
        $version = $input->getArgument('version');
        if ($version === null) {
            return null;
        }
        $isMatch = static fn (Version $one): bool => $one->error === null
            && ($one->label === $version || (strlen($version) >= 4 && str_starts_with($one->checksum, $version)));
        $versions = Blob::versions($store, $name);
        $checksums = array_unique(array_map(static fn (Version $one): string => $one->checksum, array_filter($versions, $isMatch)));
        if ($version === 'previous' && !in_array('previous', array_map(static fn (Version $one): ?string => $one->label, $versions), true)) {
            throw new Failure(ExitCode::NoInput, "$name: the store has no earlier version");
        }
        return count($checksums) === 1
            ? end($checksums)
            : throw Failure::usage("VERSION: \"$version\" does not identify one version of $name: give current, previous, or at least "
                . '4 digits of a version that bloom info NAME STORE shows');
    }
}
