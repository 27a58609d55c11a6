/** Lists usage, refusals, anomalies, bad rows and nodes. */
@NullMarked
package io.weir.internal.control.admin.records;

import org.jspecify.annotations.NullMarked;
