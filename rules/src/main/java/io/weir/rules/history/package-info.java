/** The history of changes of rows, with their authors and times. */
@NullMarked
package io.weir.rules.history;

import org.jspecify.annotations.NullMarked;
