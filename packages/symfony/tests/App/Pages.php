<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App;

use Bloom\Filter;
use Bloom\Membership;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\Validator\ConstraintViolationInterface;
use Symfony\Component\Validator\Validator\ValidatorInterface;

/** The pages of the application. They look up the keys in the parameter `keys`, separated by commas, or check a password. */
final readonly class Pages
{
    public function __construct(public Membership $tagsFilter, public ValidatorInterface $validator)
    {
    }

    public function register(Request $request): Response
    {
        $violations = $this->validator->validate(new Account($request->request->getString('password')));
        return new JsonResponse(['errors' => array_map(
            static fn (ConstraintViolationInterface $violation): string => (string) $violation->getMessage(),
            iterator_to_array($violations),
        )]);
    }

    public function lookup(Request $request): Response
    {
        return new JsonResponse([
            'candidates' => $this->tagsFilter->candidates(explode(',', $request->query->getString('keys'))),
            'generation' => Filter::find('tags')?->info()->generation,
        ]);
    }

    public function stream(Request $request): Response
    {
        $key = $request->query->getString('keys');
        return new StreamedResponse(fn () => print(json_encode($this->tagsFilter->mightContain($key))));
    }
}
