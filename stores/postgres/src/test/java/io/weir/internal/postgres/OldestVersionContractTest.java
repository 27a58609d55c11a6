package io.weir.internal.postgres;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;

/** The oldest that Weir supports. */
@RunOneIn(9)
class OldestVersionContractTest extends ContractOnVersion {
  OldestVersionContractTest() {
    super(PostgresServer.OLDEST);
  }
}
