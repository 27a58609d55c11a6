/** A real PostgreSQL for tests. */
@NullMarked
package io.weir.compat.postgres;

import org.jspecify.annotations.NullMarked;
