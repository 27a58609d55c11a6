/**
 * Interfaces that an application or a module may implement: keys, costs, tiers, further policies,
 * load and metrics. Given to {@link io.weir.WeirBuilder} or found by {@code ServiceLoader}.
 */
@NullMarked
package io.weir.spi;

import org.jspecify.annotations.NullMarked;
