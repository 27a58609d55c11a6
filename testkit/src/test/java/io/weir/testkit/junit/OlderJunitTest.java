package io.weir.testkit.junit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** JUnit before 5.12 resolves the parameters of a constructor for the class, not for the test. */
class OlderJunitTest {
  static class Application {
    Application(Weir weir) {}
  }

  private static ParameterContext constructorParameter() {
    Parameter parameter = Application.class.getDeclaredConstructors()[0].getParameters()[0];
    return new ParameterContext() {
      @Override
      public Parameter getParameter() {
        return parameter;
      }

      @Override
      public int getIndex() {
        return 0;
      }

      @Override
      public Optional<Object> getTarget() {
        return Optional.empty();
      }
    };
  }

  private static ExtensionContext contextOfTheClass() {
    return (ExtensionContext)
        Proxy.newProxyInstance(
            ExtensionContext.class.getClassLoader(),
            new Class<?>[] {ExtensionContext.class},
            (proxy, method, arguments) ->
                method.getName().equals("getTestInstanceLifecycle")
                    ? Optional.of(Lifecycle.PER_METHOD)
                    : Optional.empty());
  }

  @Test
  void isRefusedRatherThanSharingOneWeir() {
    ParameterResolutionException refusal =
        assertThrows(
            ParameterResolutionException.class,
            () ->
                new WeirExtension().resolveParameter(constructorParameter(), contextOfTheClass()));
    assertTrue(refusal.getMessage().contains("5.12"), refusal::getMessage);
  }
}
