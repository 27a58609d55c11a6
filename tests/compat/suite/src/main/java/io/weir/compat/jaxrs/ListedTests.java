package io.weir.compat.jaxrs;

import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Leaves out what is Jersey's alone or harmful, and lets fail what a server can't pass. */
final class ListedTests implements InvocationInterceptor {
  @Override
  public void interceptTestMethod(
      Invocation<Void> test, ReflectiveInvocationContext<Method> invoked, ExtensionContext context)
      throws Throwable {
    run(test, invoked, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> test, ReflectiveInvocationContext<Method> invoked, ExtensionContext context)
      throws Throwable {
    run(test, invoked, context);
  }

  private static void run(
      Invocation<Void> test, ReflectiveInvocationContext<Method> invoked, ExtensionContext context)
      throws Throwable {
    JaxrsServing suite = (JaxrsServing) context.getRequiredTestInstance();
    Method method = invoked.getExecutable();
    JerseyOnly jersey = method.getAnnotation(JerseyOnly.class);
    Optional<String> leftOut =
        Optional.ofNullable(jersey)
            .filter(each -> !suite.runsJersey())
            .map(JerseyOnly::value)
            .or(() -> Optional.ofNullable(suite.harmful().get(method.getName())));
    if (leftOut.isPresent()) {
      test.skip();
      Assumptions.abort(leftOut.get());
    } else if (suite.impossible().containsKey(method.getName())) {
      Assertions.assertThrows(
          Throwable.class, test::proceed, method.getName() + " passes: it can leave the list");
    } else {
      test.proceed();
    }
  }
}
