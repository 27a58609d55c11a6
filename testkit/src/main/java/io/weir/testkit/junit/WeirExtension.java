package io.weir.testkit.junit;

import io.weir.RateLimiter;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Constructor;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Makes the parameters of a {@link WeirTest}. To give the Weir parts that settings can't name,
 * register it in place of the annotation:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final WeirExtension WEIR = new WeirExtension(weir -> weir.tierResolver(new Plans()));
 * }</pre>
 *
 * <p>Safe for concurrent use, if the given parts are.
 */
public final class WeirExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(WeirExtension.class);

  private final Consumer<WeirBuilder> parts;

  /** Makes each Weir with defaults, and with the settings of {@link WeirTest}. */
  public WeirExtension() {
    this(builder -> {});
  }

  /**
   * Makes each Weir with parts of your own.
   *
   * @param parts called for each Weir, with a builder that has its {@link FakeTicker}
   */
  public WeirExtension(Consumer<WeirBuilder> parts) {
    this.parts = Objects.requireNonNull(parts, "parts");
  }

  /**
   * Gives a constructor the Weir of the test that the instance is made for. Called by JUnit.
   *
   * @param root the context of the whole run
   * @return the scope of a test
   */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  /**
   * Returns whether a parameter is a {@link Weir}, a {@link FakeTicker} or a {@link RateLimiter}.
   * Called by JUnit.
   *
   * @param parameter the parameter
   * @param context what it is resolved for
   * @return true for these three types alone
   */
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Weir.class || type == FakeTicker.class || type == RateLimiter.class;
  }

  /**
   * Returns a part of the test's Weir; makes the Weir if it is the first. Called by JUnit.
   *
   * @param parameter of a supported type
   * @param context what it is resolved for
   * @return the same object each time within one test
   * @throws ParameterResolutionException if a setting is malformed, or comes too late for a Weir
   *     that the whole class shares
   */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (isSharedByMistake(parameter, context)) {
      throw new ParameterResolutionException(
          "This version of JUnit can't give each test a Weir of its own in a constructor: use JUnit"
              + " 5.12 or newer, or take the Weir in @BeforeEach");
    }
    TestWeir weir = findOrMake(context);
    Class<?> type = parameter.getParameter().getType();
    if (type == FakeTicker.class) {
      return weir.ticker();
    }
    return type == Weir.class ? weir.weir() : weir.weir().limiter();
  }

  /** Older versions of JUnit resolve the parameters of a constructor for the class. */
  private static boolean isSharedByMistake(ParameterContext parameter, ExtensionContext context) {
    return parameter.getDeclaringExecutable() instanceof Constructor
        && context.getTestMethod().isEmpty()
        && context.getTestInstanceLifecycle().equals(Optional.of(Lifecycle.PER_METHOD));
  }

  private TestWeir findOrMake(ExtensionContext context) {
    TestSettings settings = TestSettings.of(context);
    // The store of a test also finds what its class has, and closes what is put into it.
    Store store = context.getStore(NAMESPACE);
    TestWeir weir = store.get(this, TestWeir.class);
    if (weir == null) {
      weir = TestWeir.open(settings, parts);
      store.put(this, weir);
    } else if (!weir.settings().equals(settings)) {
      throw new ParameterResolutionException(
          "@WeirTest on "
              + context.getElement().map(Object::toString).orElse(context.getDisplayName())
              + ": the settings come too late, since @BeforeAll or the constructor has taken a Weir"
              + " for the whole class. Move them to the class, or take the Weir in @BeforeEach");
    }
    return weir;
  }
}
