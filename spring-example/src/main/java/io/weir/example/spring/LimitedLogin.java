package io.weir.example.spring;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.temporal.ChronoUnit;

/**
 * Limits wrong passwords: of an account from one address, of one address, and of an account from
 * anywhere. A user who knows the password never notices. Once the failures are used up, even the
 * right password is refused, or a guesser would find it by what is answered.
 */
@RateLimit(
    limit = 5,
    window = 1,
    unit = ChronoUnit.MINUTES,
    by = {By.KEY, By.IP},
    key = "lower:form:user|json:/user",
    count = Count.FAILURES,
    name = "login-user")
@RateLimit(
    limit = 20,
    window = 1,
    unit = ChronoUnit.MINUTES,
    count = Count.FAILURES,
    banAfter = 50,
    banWithin = 60,
    banOn = "401",
    name = "login-ip")
@RateLimit(
    limit = 100,
    window = 1,
    unit = ChronoUnit.HOURS,
    by = By.KEY,
    key = "lower:form:user|json:/user",
    count = Count.FAILURES,
    name = "login-account")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface LimitedLogin {}
