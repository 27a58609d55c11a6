package io.weir.internal.postgres;

import io.weir.compat.postgres.PgBouncer.Version;
import io.weir.seeds.RunOneIn;

/** The newest, with the settings that Weir has of itself. */
@RunOneIn(9)
class NewPgBouncerContractTest extends BehindPgBouncer {
  NewPgBouncerContractTest() {
    super(Version.NEWEST, "auto");
  }
}
