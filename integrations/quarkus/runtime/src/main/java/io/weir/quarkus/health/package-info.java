/** Reports the store in the health of an application. Nothing here is for applications. */
@NullMarked
package io.weir.quarkus.health;

import org.jspecify.annotations.NullMarked;
