/** Tests of both starters. */
@NullMarked
package io.weir.spring.metrics;

import org.jspecify.annotations.NullMarked;
