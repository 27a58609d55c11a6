/** Reports the store in the health of a Micronaut application. */
@NullMarked
package io.weir.micronaut.health;

import org.jspecify.annotations.NullMarked;
