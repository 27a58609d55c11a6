package io.weir.compat.aspectj;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** An annotation composed of a composed one. */
@OncePerMinute
@Retention(RetentionPolicy.RUNTIME)
public @interface Rarely {}
