package io.weir.internal.postgres;

import io.weir.compat.postgres.PgBouncer.Version;
import io.weir.seeds.RunOneIn;

/** Before 1.21, which mixes up names of statements: Weir notices a pooler and uses none. */
@RunOneIn(9)
class OldPgBouncerContractTest extends BehindPgBouncer {
  OldPgBouncerContractTest() {
    super(Version.OLD, "auto");
  }
}
