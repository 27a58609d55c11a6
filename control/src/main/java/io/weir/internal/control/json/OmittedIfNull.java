package io.weir.internal.control.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Leaves a member out of documents in which it is null; all others are written as null then. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD) // the accessor of a record's component
public @interface OmittedIfNull {}
