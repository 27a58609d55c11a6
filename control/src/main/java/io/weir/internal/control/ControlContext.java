package io.weir.internal.control;

import io.weir.internal.application.WeirRuntime;
import io.weir.rules.Rules;
import java.util.function.BooleanSupplier;

/**
 * What the resources work with. Immutable.
 *
 * @param weir the application's limiter and settings
 * @param rules its rules
 * @param isOpen whether the API goes on; what lasts ends with it
 */
public record ControlContext(WeirRuntime weir, Rules rules, BooleanSupplier isOpen) {}
