/** Elects one node as leader, which works for all: it purges old rows and looks for anomalies. */
@NullMarked
package io.weir.internal.rules.maintenance;

import org.jspecify.annotations.NullMarked;
