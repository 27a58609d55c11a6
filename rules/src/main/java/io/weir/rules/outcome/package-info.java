/** The outcomes of decisions by policy: at present, and by hour. */
@NullMarked
package io.weir.rules.outcome;

import org.jspecify.annotations.NullMarked;
