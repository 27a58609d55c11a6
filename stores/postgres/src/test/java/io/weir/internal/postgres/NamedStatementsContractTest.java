package io.weir.internal.postgres;

import io.weir.compat.postgres.PgBouncer.Version;
import io.weir.seeds.RunOneIn;

/** The newest, which prepares named statements where a transaction needs them. */
@RunOneIn(9)
class NamedStatementsContractTest extends BehindPgBouncer {
  NamedStatementsContractTest() {
    super(Version.NEWEST, "true");
  }
}
