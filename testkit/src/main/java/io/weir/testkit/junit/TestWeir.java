package io.weir.testkit.junit;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.testkit.FakeTicker;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtensionContext.Store;

/**
 * A Weir with its clock, which JUnit closes at the end of the test or of the class.
 *
 * @param weir the Weir
 * @param ticker its clock
 * @param settings what it was made with
 */
@SuppressWarnings("deprecation") // JUnit before 5.13 closes nothing else.
record TestWeir(Weir weir, FakeTicker ticker, TestSettings settings)
    implements Store.CloseableResource, AutoCloseable {
  static TestWeir open(TestSettings settings, Consumer<WeirBuilder> parts) {
    FakeTicker ticker = new FakeTicker();
    WeirBuilder builder = Weir.builder().ticker(ticker);
    if (!settings.isAmbient()) {
      builder.onlyGivenSettings();
    }
    parts.accept(builder.settings(settings.values()));
    return new TestWeir(builder.build(), ticker, settings);
  }

  @Override
  public void close() {
    weir.close();
  }
}
