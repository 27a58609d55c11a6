package io.weir.internal.rules.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Runs all SQL of a connection in the {@linkplain SchemaName schema} that is set. */
final class SchemaConnection implements InvocationHandler {
  private final Object wrapped;
  private final SchemaName schema;
  private final Dialect dialect;

  private SchemaConnection(Object wrapped, SchemaName schema, Dialect dialect) {
    this.wrapped = wrapped;
    this.schema = schema;
    this.dialect = dialect;
  }

  /** Returns the connection itself where the schema is the usual one. */
  static Connection of(Connection connection, SchemaName schema) throws SQLException {
    return schema.equals(SchemaName.USUAL)
        ? connection
        : JdbcProxy.of(
            Connection.class, new SchemaConnection(connection, schema, Dialect.of(connection)));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    @Nullable Object[] given = arguments == null ? new Object[0] : arguments.clone();
    if (given.length > 0 && given[0] instanceof String sql && takesSql(method.getName())) {
      given[0] = schema.in(sql, dialect);
    }
    Object result = JdbcProxy.call(wrapped, method, given);
    return method.getReturnType() == Statement.class && result != null
        ? JdbcProxy.of(Statement.class, new SchemaConnection(result, schema, dialect))
        : result;
  }

  private static boolean takesSql(String method) {
    return method.startsWith("prepare")
        || method.startsWith("execute")
        || method.equals("addBatch")
        || method.equals("nativeSQL");
  }
}
