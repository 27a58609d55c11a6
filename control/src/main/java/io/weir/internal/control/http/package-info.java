/** Bodies, parameters, versions and problem documents, the same for all resources. */
@NullMarked
package io.weir.internal.control.http;

import org.jspecify.annotations.NullMarked;
