/** The store within this process, which runs the algorithms itself. */
@NullMarked
package io.weir.internal.inprocess;

import org.jspecify.annotations.NullMarked;
