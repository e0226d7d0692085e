package suspension

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"skidpad/model/rig"
)

// The strongest contribution is first in the terminal and has the full shade in the table; the file has all digits.
func TestSharesAreWritten(t *testing.T) {
	r := passengerCar(t, Options{Options: rig.Options{Axle: 1}, Shares: true})
	var text, file bytes.Buffer
	for _, err := range []error{r.PrintShares(&text), r.WriteShares(&file)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		"toe-in by lateral force, deg/kN: 0.1108\n  toe_bushing_FL +0.111, camber_bushing_FL +0.00179\n",
		"camber by lateral force, deg/kN: -0.323\n  camber_bushing_FL -0.308, toe_bushing_FL -0.0154\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing: %s", want, text.String())
		}
	}
	rows, err := csv.NewReader(&file).ReadAll()
	if err != nil || len(rows) != 1+2*len(r.Shares.Figures) {
		t.Fatalf("%v, %d rows", err, len(rows))
	}
	if row := rows[1]; row[0] != "lateral_parallel_toe" || row[3] != "toe_bushing_FL" || row[4] != "toe_bushing_FR" ||
		row[5] != strconv.FormatFloat(r.Shares.Parts[0].Of[0], 'g', -1, 64) {
		t.Errorf("%q", row)
	}
	table := r.Shares.table()
	if row := table.Rows[1]; row[0] != "camber by lateral force" || row[3] != "-0.0154" || row[4] != "-0.308" ||
		table.Shades[1][4] != -1 || !(table.Shades[1][3] > -0.1 && table.Shades[1][3] < 0) {
		t.Errorf("%q, %v", row, table.Shades[1])
	}
	var page bytes.Buffer
	if err := r.WriteReport(&page); err != nil || !strings.Contains(page.String(), "Shares of compliance") {
		t.Errorf("the report has no shares: %v", err)
	}
}
