/** Values of settings: how they are written, and how a module reads them from their names. */
@NullMarked
package io.weir.internal.value;

import org.jspecify.annotations.NullMarked;
