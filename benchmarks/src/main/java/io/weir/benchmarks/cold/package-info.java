/** What a request costs whose caller is new, beside a script a request. */
@NullMarked
package io.weir.benchmarks.cold;

import org.jspecify.annotations.NullMarked;
