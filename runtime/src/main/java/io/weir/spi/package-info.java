/**
 * Interfaces that an application or a module may implement: keys, costs, conditions, tiers, further
 * policies, addresses, load, refusals' bodies, metrics and tracing. Given to {@link
 * io.weir.WeirBuilder} or found by {@code ServiceLoader}.
 */
@NullMarked
package io.weir.spi;

import org.jspecify.annotations.NullMarked;
