/** Settings of a module: declared once, and read by their declarations. */
@NullMarked
package io.weir.internal.module;

import org.jspecify.annotations.NullMarked;
