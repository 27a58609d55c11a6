package io.weir.internal.control;

import io.weir.internal.guard.WeirRuntime;
import io.weir.rules.Rules;

/**
 * What the resources work with. Immutable.
 *
 * @param weir the application's limiter and settings
 * @param rules its rules
 */
public record ControlContext(WeirRuntime weir, Rules rules) {}
