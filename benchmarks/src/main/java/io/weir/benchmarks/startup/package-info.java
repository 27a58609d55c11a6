/** How much later an application answers because its endpoints are limited. */
@NullMarked
package io.weir.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
