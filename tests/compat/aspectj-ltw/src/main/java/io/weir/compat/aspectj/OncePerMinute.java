package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A composed annotation. */
@RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
@Retention(RetentionPolicy.RUNTIME)
public @interface OncePerMinute {}
