/** A store in memory that nodes share as they would share one elsewhere. */
@NullMarked
package io.weir.testkit.store;

import org.jspecify.annotations.NullMarked;
