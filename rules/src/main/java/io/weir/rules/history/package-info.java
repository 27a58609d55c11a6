/** Changes of rows: who made them, when, and what they changed. */
@NullMarked
package io.weir.rules.history;

import org.jspecify.annotations.NullMarked;
