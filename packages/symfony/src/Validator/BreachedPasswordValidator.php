<?php

declare(strict_types=1);

namespace Bloom\Symfony\Validator;

use Bloom\Kit\ListFilter;
use Bloom\Kit\PasswordFallback;
use Symfony\Component\Validator\Constraint;
use Symfony\Component\Validator\Constraints\NotCompromisedPassword;
use Symfony\Component\Validator\ConstraintValidator;
use Symfony\Component\Validator\Exception\ConstraintDefinitionException;
use Symfony\Component\Validator\Exception\UnexpectedTypeException;
use Symfony\Component\Validator\Exception\UnexpectedValueException;

/**
 * Answers for the constraint NotCompromisedPassword from the filter in bloom.breached_passwords, without HTTP.
 *
 * @psalm-suppress PropertyNotSetInConstructor Symfony sets the context before it calls the validator
 */
final class BreachedPasswordValidator extends ConstraintValidator
{
    /**
     * @param \Closure(): ConstraintValidator $http makes the framework's own
     * @param string $charset of passwords; the hashes are those of UTF-8
     * @param bool $isEnabled framework.validation.not_compromised_password.enabled
     */
    public function __construct(
        private readonly ListFilter $list,
        private readonly PasswordFallback $fallback,
        private readonly \Closure $http,
        private readonly string $charset,
        private readonly bool $isEnabled,
    ) {
    }

    public function validate(#[\SensitiveParameter] mixed $value, Constraint $constraint): void
    {
        if (!$constraint instanceof NotCompromisedPassword) {
            throw new UnexpectedTypeException($constraint, NotCompromisedPassword::class);
        }
        if (!$this->isEnabled) {
            return;
        }
        /** @var int $threshold In Symfony 6.4, these properties have no types */
        $threshold = $constraint->threshold;
        /** @var string $message */
        $message = $constraint->message;
        if ($threshold > 1) {
            throw new ConstraintDefinitionException(
                "NotCompromisedPassword: the threshold must be 1 with bloom.breached_passwords, $threshold given, because a filter"
                    . ' does not know how often a password was breached; build the filter without rare passwords instead'
            );
        }
        if ($value !== null && !is_scalar($value) && !$value instanceof \Stringable) {
            throw new UnexpectedValueException($value, 'string');
        }
        $password = (string) $value;
        if ($password === '') {
            return;
        }
        if ($this->charset !== 'UTF-8') {
            $password = (string) mb_convert_encoding($password, 'UTF-8', $this->charset);
        }
        $isListed = $this->list->mayListPassword($password);
        if ($isListed === null && $this->fallback === PasswordFallback::Http) {
            $this->askFramework($value, $constraint);
        } elseif ($isListed ?? ($this->fallback === PasswordFallback::Reject && !$constraint->skipOnError)) {
            $this->context->buildViolation($message)
                ->setCode(NotCompromisedPassword::COMPROMISED_PASSWORD_ERROR)
                ->addViolation();
        }
    }

    private function askFramework(#[\SensitiveParameter] mixed $value, Constraint $constraint): void
    {
        $validator = ($this->http)();
        if (method_exists($validator, 'validateInContext')) { // since Symfony 8.1
            $validator->validateInContext($value, $constraint, $this->context);
            return;
        }
        $validator->initialize($this->context);
        $validator->validate($value, $constraint);
    }
}
