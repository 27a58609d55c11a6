package io.weir.internal.postgres;

import io.weir.compat.postgres.PostgresBackup;
import io.weir.compat.postgres.PostgresFaults;
import io.weir.compat.postgres.PostgresServer;

/** Ways to break a PostgreSQL itself and to repair it. */
enum PostgresTrouble implements PostgresMishap {
  /** Frozen: the kernel still accepts connections. */
  FROZEN(true, "") {
    @Override
    void strike(ProxiedPostgres store) {
      PostgresServer server = store.server();
      store.begun(server::thaw);
      server.freeze();
    }
  },
  /** Dead at once, and later back without the last commits. */
  KILLED(true, "") {
    @Override
    void strike(ProxiedPostgres store) {
      store.begun(store.server()::restart);
      store.server().kill();
    }
  },
  /** Stopped in order and started again. */
  RESTARTED(true, "") {
    @Override
    void strike(ProxiedPostgres store) {
      store.begun(store.server()::restart);
      store.server().stop();
    }
  },
  /** Dead at once, and later back as it was some time before. */
  RESTORED(true, "") {
    @Override
    void strike(ProxiedPostgres store) {
      PostgresBackup backup = store.server().backUp();
      store.restoreLater(backup);
      store.awaitBeats(BEATS);
      store.server().kill();
    }
  },
  /** An operator ends all connections. */
  ENDED(false, "57P01") {
    @Override
    void strike(ProxiedPostgres store) {
      store.endConnectionsOfNodes();
    }
  },
  /** Others have taken all connections. */
  CROWDED(true, "53300") {
    @Override
    void strike(ProxiedPostgres store) {
      store.takeAllConnections();
    }
  },
  /** A migration holds its lock. */
  LOCKED(true, "57014") {
    @Override
    void strike(ProxiedPostgres store) {
      store.begun(PostgresFaults.lock(store.direct(), "weir_buckets"));
    }
  },
  /** It takes no writes. */
  READ_ONLY(true, "25006") {
    @Override
    void strike(ProxiedPostgres store) {
      store.begun(PostgresFaults.readOnly(store.server()));
    }
  },
  /** All rows are gone. */
  EMPTIED(false, "") {
    @Override
    void strike(ProxiedPostgres store) {
      store.countRows();
      Databases.run(store.direct(), "TRUNCATE weir_buckets");
    }

    @Override
    public long seen(ProxiedPostgres store) {
      return store.counted();
    }
  },
  /** The table is gone. */
  DROPPED(false, "42P01") {
    @Override
    void strike(ProxiedPostgres store) {
      Databases.run(store.direct(), "DROP TABLE weir_buckets");
    }
  };

  /** At most ten a second are counted, so that nodes are sure to have heard some of them. */
  private static final int BEATS = 7;

  private final boolean cutsOff;
  private final String state;

  PostgresTrouble(boolean cutsOff, String state) {
    this.cutsOff = cutsOff;
    this.state = state;
  }

  abstract void strike(ProxiedPostgres store);

  @Override
  public String title() {
    return name();
  }

  @Override
  public void begin(ProxiedPostgres store) {
    store.proxy().watch(state);
    strike(store);
  }

  @Override
  public void end(ProxiedPostgres store) throws Exception {
    store.undo();
  }

  @Override
  public boolean cutsOff() {
    return cutsOff;
  }

  @Override
  public long seen(ProxiedPostgres store) {
    return store.proxy().seen();
  }
}
