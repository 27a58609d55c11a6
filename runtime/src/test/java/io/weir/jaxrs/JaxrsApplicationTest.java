package io.weir.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JaxrsApplicationTest {
  private final Weir weir = Weir.builder().build();
  private final Recorder log = new Recorder();
  private final Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir));
  private final JaxrsApplication application =
      new JaxrsApplication(log, List.of(), Optional.empty(), adapter, false);

  @AfterEach
  void close() {
    adapter.close();
    weir.close();
  }

  /** Keeps the errors. */
  private static final class Recorder implements System.Logger {
    final List<String> errors = new ArrayList<>();

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
      add(level, message);
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
      add(level, format);
    }

    private void add(Level level, String message) {
      if (level == Level.ERROR) {
        errors.add(message);
      }
    }
  }

  @Test
  void saysLoudlyThatNoMethodWasBound() {
    application.requested();
    application.requested();
    assertEquals(1, log.errors.size());
    assertTrue(log.errors.get(0).contains("no limits apply"), log.errors.get(0));
  }

  @Test
  void saysNothingOnceAMethodWasShown() {
    application.sawMethod();
    application.requested();
    assertEquals(List.of(), log.errors);
  }
}
