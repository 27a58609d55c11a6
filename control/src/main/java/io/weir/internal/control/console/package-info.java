/** Serves the files of the console, which hold no data and are open to everybody. */
@NullMarked
package io.weir.internal.control.console;

import org.jspecify.annotations.NullMarked;
