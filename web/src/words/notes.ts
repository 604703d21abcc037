import { html } from 'lit';

/** δ at ε, for outcomes P and Q. */
const definition = html`<math display="block" tabindex="0">
  <mi>δ</mi><mo stretchy="false">(</mo><mi>ε</mi><mo stretchy="false">)</mo><mo>=</mo>
  <munder><mo>sup</mo><mi>E</mi></munder>
  <mspace width="0.17em"></mspace>
  <mi>P</mi><mo stretchy="false">(</mo><mi>E</mi><mo stretchy="false">)</mo><mo>−</mo
  ><msup><mi>e</mi><mi>ε</mi></msup> <mi>Q</mi><mo stretchy="false">(</mo><mi>E</mi
  ><mo stretchy="false">)</mo><mo>,</mo>
</math>`;

/** The same for deterministic batches. */
const deterministicDelta = html`<math display="block" tabindex="0">
  <mi>δ</mi><mo stretchy="false">(</mo><mi>ε</mi><mo stretchy="false">)</mo><mo>=</mo
  ><mi mathvariant="normal">Φ</mi>
  <mrow
    ><mo>(</mo><mfrac><mi>μ</mi><mn>2</mn></mfrac
    ><mo>−</mo><mfrac><mi>ε</mi><mi>μ</mi></mfrac
    ><mo>)</mo></mrow
  >
  <mo>−</mo><msup><mi>e</mi><mi>ε</mi></msup
  ><mi mathvariant="normal">Φ</mi>
  <mrow
    ><mo>(</mo><mo>−</mo><mfrac><mi>μ</mi><mn>2</mn></mfrac
    ><mo>−</mo><mfrac><mi>ε</mi><mi>μ</mi></mfrac
    ><mo>)</mo></mrow
  >
  <mo>,</mo><mspace width="0.5em"></mspace><mi>μ</mi><mo>=</mo>
  <mfrac
    ><mrow
      ><mo form="prefix" stretchy="false" lspace="0" rspace="0" class="radical">√</mo
      ><mi>k</mi></mrow
    ><mi>σ</mi></mfrac
  ><mo>;</mo>
</math>`;

/** A Poisson step with the record. */
const mixture = html`<math>
  <mo stretchy="false">(</mo><mn>1</mn><mo>−</mo><mi>q</mi><mo stretchy="false">)</mo><mi>N</mi
  ><mo stretchy="false">(</mo><mn>0</mn><mo>,</mo> <msup><mi>σ</mi><mn>2</mn></msup
  ><mo stretchy="false">)</mo><mo>+</mo><mi>q</mi><mi>N</mi><mo stretchy="false">(</mo><mn>1</mn
  ><mo>,</mo> <msup><mi>σ</mi><mn>2</mn></msup
  ><mo stretchy="false">)</mo></math
>`;

/** The same without it. */
const gaussian = html`<math
  ><mi>N</mi><mo stretchy="false">(</mo><mn>0</mn><mo>,</mo><msup><mi>σ</mi><mn>2</mn></msup
  ><mo stretchy="false">)</mo></math
>`;

export function notes() {
  return html`<section class="notes">
    <h2>What the numbers mean</h2>
    <div class="columns">
      <p>
        A run is (<i>ε</i>, <i>δ</i>)-differentially private if no outcome is more than <i>e</i
        ><sup>ε</sup> times as likely with one person’s record as without it, except with
        probability <i>δ</i>. With <i>P</i> and <i>Q</i> the outcomes with and without the record,
        ${definition} in both directions: <i>remove</i> uses <i>P</i> and <i>Q</i> as written,
        <i>add</i> swaps them. The answer is the larger of the two.
      </p>
      <p>
        Every answer is an interval that is proved to contain the true value, for the worst dataset
        and an adversary who sees every gradient step. Rounding and truncation errors are included.
        Estimates are labelled: Rényi accounting proves only the upper end, and the number from the
        central limit theorem (GDP) may be larger or smaller than the true value.
      </p>
      <p>
        The sampler decides <i>P</i> and <i>Q</i>. For deterministic batches over <i>k</i> epochs,
        ${deterministicDelta} Poisson batches compose the pair ${mixture}, ${gaussian} once per
        step. A proof for one sampler says nothing about runs that used another.
      </p>
    </div>
  </section>`;
}
