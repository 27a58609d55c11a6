package io.weir.compat.console;

import io.weir.rules.access.NewAccessToken;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * The server and the browsers that most tests share, since each takes seconds to start. The server
 * is under load, while one of these tests runs, and has a past. A test changes only rules and users
 * that it has made itself.
 */
final class SharedConsole implements BeforeAllCallback, AfterAllCallback {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** Those whose requests are the load. */
  private static final String[] USERS = {"alice", "bob", "carol", "mobile-app", "partner-7"};

  private static @Nullable Parts parts;

  /** The server, which is closed when all tests have run, and the browsers of the class. */
  private static final class Parts implements AutoCloseable {
    final ConsoleServer server = new ConsoleServer(Map.of("weir.anomaly.action", "block"));
    @Nullable Browser first;
    @Nullable Browser second;

    Browser first() {
      if (first == null) {
        first = new Browser(server.url());
      }
      return first;
    }

    Browser second() {
      if (second == null) {
        second = new Browser(server.url());
      }
      return second;
    }

    /** Lets others have the browsers, and leaves the server in peace. */
    void rest() {
      server.endLoad();
      Closing.inOrder(first, second);
      first = null;
      second = null;
    }

    @Override
    public void close() {
      server.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getRoot()
        .getStore(Namespace.create(SharedConsole.class))
        .computeIfAbsent("parts", key -> start(), Parts.class)
        .server
        .load(USERS);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    parts().rest();
  }

  private static Parts start() {
    parts = new Parts();
    PastUsage.write(parts.server);
    return parts;
  }

  private static Parts parts() {
    if (parts == null) {
      throw new IllegalStateException("the class needs @ExtendWith(SharedConsole.class)");
    }
    return parts;
  }

  static ConsoleServer server() {
    return parts().server;
  }

  /** Runs checks of figures that stay as they are, since nobody uses the server meanwhile. */
  static void withoutLoad(Runnable checks) {
    ConsoleServer server = parts().server;
    server.endLoad();
    try {
      checks.run();
    } finally {
      server.load(USERS);
    }
  }

  /** Signs an administrator in, and opens a page. */
  static Browser administrator(String address) {
    return first("weir-admin", null, address);
  }

  /** Signs somebody in by the first browser, and opens a page. */
  static Browser first(String role, @Nullable String user, String address) {
    return signIn(parts().first(), role, user, address);
  }

  /** Signs somebody in by the second browser, which knows nothing of the first. */
  static Browser second(String role, @Nullable String user, String address) {
    return signIn(parts().second(), role, user, address);
  }

  private static Browser signIn(
      Browser browser, String role, @Nullable String user, String address) {
    NewAccessToken token = server().token("person " + NUMBER.incrementAndGet(), role, user);
    browser.wide();
    browser.colours("light");
    browser.forgetSession();
    browser.signIn(token.secret(), address);
    return browser;
  }

  /** Closes all pages. */
  static void leave() {
    parts().first().leave();
    if (parts().second != null) {
      parts().second().leave();
    }
  }

  /** A name that no other test uses. */
  static String unique(String name) {
    return name + NUMBER.incrementAndGet();
  }
}
