package io.weir.testkit.mutants;

import java.util.ArrayList;
import java.util.List;

/** The mistakes that the simulation must notice. */
final class Catalogue {
  private Catalogue() {}

  static List<Mutant> all() {
    List<Mutant> all = new ArrayList<>();
    all.addAll(LeaseMistakes.all());
    all.addAll(FarMistakes.all());
    all.addAll(OvershootMistakes.all());
    all.addAll(CostMistakes.all());
    all.addAll(WriteBackMistakes.all());
    all.addAll(WipeMistakes.all());
    all.addAll(LateMistakes.all());
    all.addAll(WaitingMistakes.all());
    all.addAll(RefillMistakes.all());
    all.addAll(ClearMistakes.all());
    all.addAll(PeriodMistakes.all());
    all.addAll(RegionMistakes.all());
    return all;
  }

  static Edit algorithm(String file, String text, String instead) {
    return new Edit("io/weir/internal/algorithm/" + file + ".java", text, instead);
  }

  static Edit region(String file, String text, String instead) {
    return new Edit("io/weir/internal/region/" + file + ".java", text, instead);
  }

  static Edit writeBack(String file, String text, String instead) {
    return new Edit("io/weir/internal/writeback/" + file + ".java", text, instead);
  }
}
