/** Weir's own threads and the tasks that they repeat. */
@NullMarked
package io.weir.internal.threads;

import org.jspecify.annotations.NullMarked;
