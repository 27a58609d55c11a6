package io.weir.test.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContractsTest {
  /** Application servers are large downloads, and measuring takes long. */
  private static final Set<String> ONLY_IN_LONG_BUILDS =
      Set.of(
          "io.weir.compat.stack.BeanChecks",
          "io.weir.compat.stack.RequestCosts",
          "io.weir.compat.stack.WarChecks",
          "io.weir.compat.stacks.quarkus.ClassicApplicationChecks");

  @TempDir Path root;

  @BeforeEach
  void makeModules() throws IOException {
    write("pom.xml", "<modules><module>usual</module></modules>");
    write("usual/pom.xml", "<profile><id>deep</id><module>../rare</module></profile>");
    write("rare/pom.xml", "");
    write(
        "suite/src/main/java/a/Contract.java",
        "package a;\n\npublic interface Contract {\n  @Test\n  default void holds() {}\n}\n");
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }

  private void writeTest(String module, String name, String text) throws IOException {
    write(
        module + "/src/test/java/b/" + name + ".java",
        "package b;\n\nimport a.Contract;\n\n" + text + " {}\n");
  }

  private Set<String> left() {
    return Contracts.notRunWhole(root);
  }

  @Test
  void everyContractRunsWholeInEveryBuild() {
    assertEquals(ONLY_IN_LONG_BUILDS, Contracts.notRunWhole(Path.of("../..")));
  }

  @Test
  void aContractThatNoClassRunsIsFound() throws IOException {
    writeTest("usual", "Suite", "abstract class Suite implements Contract");
    assertEquals(Set.of("a.Contract"), left());
  }

  @Test
  void aClassThatRunsItAlwaysSettlesIt() throws IOException {
    writeTest("usual", "Suite", "abstract class Suite<T>\n    implements Contract");
    writeTest("usual", "SuiteTest", "class SuiteTest extends Suite<String>");
    assertEquals(Set.of(), left());
  }

  @Test
  void turnsLongBuildsAndConditionsDoNot() throws IOException {
    for (String each :
        new String[] {"RunOneIn(2)", "OneDayIn(2)", "DeepOnly", "EnabledIf(\"x\")"}) {
      writeTest("usual", "SuiteTest", "@" + each + "\nclass SuiteTest implements Contract");
      assertEquals(Set.of("a.Contract"), left(), each);
    }
    writeTest("usual", "Suite", "@DeepOnly\nabstract class Suite implements Contract");
    writeTest("usual", "SuiteTest", "class SuiteTest extends Suite");
    assertEquals(Set.of("a.Contract"), left(), "inherited");
  }

  @Test
  void aClassThatRunsOnOneOfTwoBootsEachDayDoes() throws IOException {
    String boot = "@EnabledIf(\"io.weir.spring.BootOfToday#isOneOfTwo\")";
    writeTest("usual", "SuiteTest", boot + "\nclass SuiteTest implements Contract");
    assertEquals(Set.of(), left());
  }

  @Test
  void aModuleOfAProfileDoesNot() throws IOException {
    writeTest("rare", "SuiteTest", "class SuiteTest implements Contract");
    assertEquals(Set.of("a.Contract"), left());
  }

  @Test
  void aModuleThatIsTestedOnSomeDaysDoesNot() throws IOException {
    writeTest("usual", "SuiteTest", "class SuiteTest implements Contract");
    write("usual/pom.xml", "<weir.turn>1 of 2</weir.turn>");
    assertEquals(Set.of("a.Contract"), left());
  }

  @Test
  void testsThatAModuleSharesAreItsOwn() throws IOException {
    write(
        "usual/src/shared/java/b/SuiteTest.java",
        "package b;\n\nimport a.Contract;\n\nclass SuiteTest implements Contract {}\n");
    assertEquals(Set.of(), left());
  }

  @Test
  void anotherTypeOfTheSameNameIsAnother() throws IOException {
    write("usual/src/test/java/b/Contract.java", "package b;\n\ninterface Contract {}\n");
    write(
        "usual/src/test/java/b/SuiteTest.java",
        "package b;\n\nclass SuiteTest implements Contract {}\n");
    assertEquals(Set.of("a.Contract"), left());
  }

  @Test
  void eachModuleMayHaveAClassOfTheSameName() throws IOException {
    write("pom.xml", "<modules><module>one</module><module>two</module></modules>");
    write("one/pom.xml", "");
    write("two/pom.xml", "");
    for (String each : new String[] {"one", "two"}) {
      String other = each.equals("one") ? "two" : "one";
      writeTest(each, "SuiteTest", "@EnabledIf(\"x\")\nclass SuiteTest implements Contract");
      writeTest(other, "SuiteTest", "class SuiteTest implements Contract");
      assertEquals(Set.of(), left(), other);
    }
  }
}
