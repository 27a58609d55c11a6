package io.weir.internal.postgres;

import io.weir.internal.store.MisconfiguredStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Borrows connections of a data source that the application has in JNDI. */
final class NamedDataSource implements ConnectionSource {
  private final String name;
  private volatile @Nullable DataSource found;

  /** Looks for it at once: some servers know the application's names on its own threads alone. */
  NamedDataSource(String name) {
    this.name = name;
    try {
      found = find();
    } catch (MisconfiguredStoreException later) {
      found = null; // it may be bound when it is needed
    }
  }

  @Override
  public Connection open() throws SQLException {
    DataSource source = found;
    if (source == null) {
      source = find();
      found = source;
    }
    try {
      return source.getConnection();
    } catch (SQLException failure) {
      found = replaced(source);
      throw failure;
    }
  }

  /** Looks up the name anew: a pool that was closed may have a successor. */
  private DataSource replaced(DataSource before) {
    try {
      return find();
    } catch (MisconfiguredStoreException gone) {
      return before;
    }
  }

  /** The name is the operator's, from the settings. */
  @SuppressWarnings("BanJNDI")
  private DataSource find() {
    try {
      InitialContext context = new InitialContext();
      try {
        return checked(context.lookup(name));
      } catch (NameNotFoundException any) {
        return checked(context.lookup("java:comp/env/" + name));
      }
    } catch (NamingException missing) {
      throw new MisconfiguredStoreException("JNDI has no data source " + name);
    }
  }

  private DataSource checked(Object thing) {
    if (thing instanceof DataSource source) {
      return source;
    }
    throw new MisconfiguredStoreException("JNDI's " + name + " isn't a data source");
  }

  @Override
  public boolean isKept() {
    return false;
  }
}
