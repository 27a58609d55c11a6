/** How the module's own threads are made. */
@NullMarked
package io.weir.internal.rules.threads;

import org.jspecify.annotations.NullMarked;
