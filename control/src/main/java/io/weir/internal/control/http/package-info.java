/** Bodies, problem documents and pages, as all resources speak them. */
@NullMarked
package io.weir.internal.control.http;

import org.jspecify.annotations.NullMarked;
