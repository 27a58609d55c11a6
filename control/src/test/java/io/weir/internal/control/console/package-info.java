/** Files of the console. */
@NullMarked
package io.weir.internal.control.console;

import org.jspecify.annotations.NullMarked;
